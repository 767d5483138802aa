import { operator } from "@curtail/contract";
import type { NewParticipant, Participant, Running } from "./running.js";

/** Has the data of all sites of a participant displayed on pages. */
export const enableDisplay = async (service: Pick<Running, "made">, { sites }: Participant): Promise<void> => {
  for (const { id } of sites)
    await service.made(operator.changeSite, { params: { id }, body: { display_enabled: true } });
};

/** A participant whose people see what its sites report. */
export const newDisplayed = async (service: Running, options: NewParticipant = {}): Promise<Participant> => {
  const participant = await service.newParticipant(options);
  await enableDisplay(service, participant);
  return participant;
};
