import { useOperator } from "../../../api/use-call.js";
import { askEveryMs } from "../../../rules/first-steps.js";

/** How far the service is on the way to its first dispatch; watched closely while somebody may be at it. */
export const useFirstSteps = ({ closely = true }: { readonly closely?: boolean } = {}) =>
  useOperator("/onboarding/first-steps", {}, { everyMs: (first) => askEveryMs(first, closely) });
