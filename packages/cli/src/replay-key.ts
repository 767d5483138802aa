import { claimKey, ErrorResponse } from "@curtail/client";
import { operator } from "@curtail/contract";
import { type AdminIo, CommandFailure, messageOf } from "./admin-io.js";
import { type Connection, callOperator, clientSettings, reached, reasonOf } from "./operator-client.js";
import { formatTimestamp } from "./timestamp.js";

// If this process is killed, its key expires on its own.
const KEY_LIFE_MS = 24 * 3_600_000;
const revokeDelaysSeconds = [1, 2, 4] as const; // someone is waiting for the command to end

/** Issues an API key for the duration of `work`, and revokes it in any case. */
export const withNewKey = async <T>(
  connection: Connection,
  { io, accountId }: { readonly io: AdminIo; readonly accountId: string },
  work: (apiKey: string) => Promise<T>,
): Promise<T> => {
  const body = { environment: "production" as const, expires_at: formatTimestamp(io.now().getTime() + KEY_LIFE_MS) };
  const { reply: issued } = await callOperator(connection, operator.createKey, { params: { id: accountId }, body });
  let outcome: { readonly value: T } | { readonly error: unknown };
  try {
    outcome = { value: await work(await claim(connection.participantsUrl, issued.claim_url)) };
  } catch (error) {
    outcome = { error };
  }
  const left = await revoke(io, connection, issued.id);
  if ("error" in outcome) {
    if (left !== null) io.stderr.write(`curtail: ${left}\n`);
    throw outcome.error;
  }
  if (left !== null) throw new CommandFailure(left);
  return outcome.value;
};

/** The link may have the participants' address; the claim goes to the address where the service was found. */
const claim = async (url: string, claimUrl: string): Promise<string> => {
  const path = /\/claim\/[^/]+$/.exec(claimUrl)?.[0];
  if (path === undefined)
    throw new CommandFailure("the service returned an unknown form of claim link; supply an API key with --key-file");
  try {
    return (await reached(url, claimKey(url + path, clientSettings))).api_key;
  } catch (error) {
    if (!(error instanceof ErrorResponse)) throw error;
    throw new CommandFailure(`the new key could not be claimed: ${reasonOf(error) ?? error.status}`);
  }
};

/** null, or what is left to do. */
const revoke = async (io: AdminIo, connection: Connection, keyId: string): Promise<string | null> => {
  for (let failures = 0; ; failures++) {
    try {
      // Nobody else has this key, so that its end cuts nobody off from a dispatch in progress.
      const query = { confirm_running: "true" } as const;
      await callOperator(connection, operator.revokeKey, { params: { id: keyId }, query });
      return null;
    } catch (error) {
      const delaySeconds = revokeDelaysSeconds[failures];
      if (delaySeconds === undefined) return leftOver(keyId, error);
      await io.wait(delaySeconds * 1000, new AbortController().signal);
    }
  }
};

const leftOver = (keyId: string, error: unknown): string =>
  `the API key of this replay was not revoked (${messageOf(error)}); it expires within 24 hours, or run \`curtail admin keys revoke ${keyId}\``;
