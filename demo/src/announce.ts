import { programNames } from "@curtail/simulation";
import type { Made } from "./memory.js";
import { say } from "./say.js";
import type { Listening } from "./service.js";

/** Prints the addresses of the demo and what to try. */
export const announce = ({ url, addresses }: Listening, made: Made, operatorToken: string): void => {
  for (const line of addresses.filter((each) => !each.startsWith("first operator"))) say(line);
  say(`operator token: ${operatorToken}`);
  for (const { email, password, of } of made.people)
    say(`sign in for ${of}: ${url}/sign-in?email=${encodeURIComponent(email)} with password ${password}`);
  say(`
${made.sites.length} sites of ${made.accounts.length} accounts report every 30 seconds. Sign in as the operator and call on them with
"New dispatch", or from a terminal:

  export CURTAIL_PUBLIC_URL=${url} CURTAIL_OPERATOR_TOKEN=${operatorToken}
  npx curtail admin dispatches create --program ${made.programs.peak} --start now --for 30m     # ${programNames.peak}
  npx curtail admin dispatches create --program ${made.programs.reserve} --start now --for 15m     # ${programNames.reserve}
  npx curtail admin dispatches performance dis_…

Ctrl-C stops the demo; the next run goes on where this one stopped, --fresh begins anew.
`);
  say("demo ready");
};
