import { operator } from "@curtail/contract";
import type { NewParticipant, Participant, Running } from "./running.js";

/** Makes the data of all sites of a participant visible on pages. */
export const enableDisplay = async (service: Pick<Running, "made">, { sites }: Participant): Promise<void> => {
  for (const { id } of sites)
    await service.made(operator.changeSite, { params: { id }, body: { display_enabled: true } });
};

/** A participant whose users see what its sites report. */
export const newDisplayed = async (service: Running, options: NewParticipant = {}): Promise<Participant> => {
  const participant = await service.newParticipant(options);
  await enableDisplay(service, participant);
  return participant;
};
