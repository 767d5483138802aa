import { attackerEmail } from "../stage.js";
import type { Attack } from "./attack.js";

/** Addresses of this machine, so that limits by address do not end the attack. */
const ADDRESSES = 8;

/** Each password costs the service a deliberately slow hash. */
export const signIn: Attack = {
  title: `wrong passwords and wrong operator tokens from ${ADDRESSES} addresses`,
  run: async ({ url }, sender) => {
    await sender.repeat(ADDRESSES, async (turn) => {
      const from = `127.0.0.${2 + (turn % ADDRESSES)}`;
      const email = turn % 3 === 0 ? attackerEmail(0) : `nobody${turn}@example.com`;
      await sender.post(`${url}/auth/sign-in`, { from, body: { email, password: `wrong ${turn}` } });
      const headers = { authorization: `Bearer wrong-token-${turn}` };
      await sender.post(`${url}/operator/v1/accounts`, { method: "GET", from, headers });
    });
  },
};
