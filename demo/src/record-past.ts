import { operator } from "@curtail/contract";
import type { PastDispatch } from "@curtail/simulation";
import type { Api } from "./api.js";
import type { Made } from "./memory.js";

/** Records them in the service; their readings must be uploaded before. */
export const recordPast = async (call: Api, made: Made, past: readonly PastDispatch[]): Promise<void> => {
  for (const { program, startMs, endMs } of past.toSorted((a, b) => a.startMs - b.startMs)) {
    if (!(await hasSites(call, made.programs[program]))) continue;
    await call(operator.createDispatch, {
      body: {
        program_id: made.programs[program],
        start_time: new Date(startMs).toISOString(),
        end_time: new Date(endMs).toISOString(),
        confirm_past: true,
      },
    });
  }
};

const hasSites = async (call: Api, programId: string): Promise<boolean> =>
  (await call(operator.listEnrolments, { params: { id: programId }, query: { limit: 1 } })).items.length > 0;
