import { type ClientSettings, replyTo } from "./client.js";

/**
 * Uses a one-time link, as the page behind it does: claims a key or certificate, or accepts an invitation. Links are
 * secrets and in no OpenAPI document.
 *
 * @internal
 * @param body what the page asks for, such as the password of a new user
 * @throws ErrorResponse if the link was used before, has expired or does not exist
 */
export const redeemLink = async <Reply>(
  link: string,
  body?: unknown,
  settings: ClientSettings = {},
): Promise<Reply> => {
  const { origin, pathname } = new URL(link);
  const [, path = "", token = ""] = /^(.*\/)([^/]*)$/.exec(pathname) ?? [];
  // A parameter, so that messages do not show it.
  const endpoint = { method: "POST", path: `${path}{token}` } as const;
  return (await replyTo({ ...settings, baseUrl: origin }, endpoint, { params: { token }, body })) as Reply;
};

/** A key that was claimed. */
export interface ClaimedKey {
  /** Keep it: it is not shown again. */
  readonly api_key: string;
}

/**
 * Claims an API key by the link that an operator received for it. The link works once, and the key is not shown again.
 *
 * @param link all of it: `https://curtail.example.com/keys/…`
 * @throws ErrorResponse if the link was used before, has expired or does not exist
 */
export const claimKey = (link: string, settings?: ClientSettings): Promise<ClaimedKey> =>
  redeemLink(link, undefined, settings);
