import { redeemLink } from "@curtail/client";
import { operator } from "@curtail/contract";
import type { BenchParticipant, BenchService } from "./service.js";

export const PASSWORD = "correct horse battery";
const SITES = 20;
const HOUR_MS = 3_600_000;
const programs = ["Peak relief", "Fast reserve", "Harbor feeder", "Cold storage", "Irrigation pause"];

/** A portfolio with five running dispatches, so that the pages have something to show. */
export const fiveDispatches = async (service: BenchService): Promise<BenchParticipant> => {
  const participant = await service.newParticipant(SITES);
  for (const [index, name] of programs.entries()) {
    const program = await service.operate(operator.createProgram, {
      body: { name, timezone: "UTC", market: "", program_type: "capacity" },
    });
    const sites = participant.siteIds.filter((_, place) => place % programs.length === index);
    await service.operate(operator.createDispatch, {
      body: {
        program_id: program.id,
        start_time: new Date().toISOString(),
        end_time: new Date(Date.now() + 4 * HOUR_MS).toISOString(),
        sites: sites.map((site_id) => ({ site_id, commitment: 20 })),
      },
    });
  }
  return participant;
};

/** @returns the email address */
export const newPerson = async (
  service: BenchService,
  role: "operator-admin" | "participant-admin",
  accountId: string | null,
): Promise<string> => {
  const email = `${role}@example.com`;
  const body = { email, name: "Viewer", role, account_id: accountId };
  const { invitation_url } = await service.operate(operator.createUser, { body });
  await redeemLink(invitation_url, { password: PASSWORD });
  return email;
};
