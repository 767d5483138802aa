import { bad, type Check, reasonOf } from "@curtail/cli";
import { within } from "../../../platform/within.js";

/** Finds out about one thing; the name is that of its checks. */
export interface DoctorLook {
  readonly name: string;
  readonly look: () => Promise<readonly Check[]>;
}

/** Each look has as long. */
export const LOOK_MS = 5000;

/** The checks of all looks in their order, made side by side: one that does not end fails, and delays no other. */
export async function* sideBySide(looks: readonly DoctorLook[], limitMs = LOOK_MS): AsyncGenerator<Check> {
  const begun = looks.map((each) => inTime(each, limitMs));
  for (const each of begun) yield* await each;
}

const inTime = ({ name, look }: DoctorLook, limitMs: number): Promise<readonly Check[]> => {
  const work = look().catch((error: unknown) => [
    bad(name, `it could not be looked at: ${reasonOf(error)}`, "correct the cause, and run the doctor again"),
  ]);
  return within(work, limitMs, () => [
    bad(name, `it did not answer within ${limitMs / 1000} s`, "look for what is stuck: network, disk or server"),
  ]);
};
