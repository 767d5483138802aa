import { useOperator } from "../../../api/use-call.js";

const EVERY_MS = 5000;
const CALM_MS = 60_000;

/** How far the service is on the way to its first dispatch; watched closely while somebody may be at it. */
export const useFirstSteps = ({ closely = true }: { readonly closely?: boolean } = {}) =>
  useOperator("/onboarding/first-steps", {}, { everyMs: closely ? EVERY_MS : CALM_MS });
