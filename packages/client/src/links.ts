import { type ClientOptions, replyTo } from "./client.js";

/** Settings of a client in addition to the address and credentials. */
export type ClientSettings = Pick<ClientOptions, "timeoutMs" | "redirect" | "fetch">;

/**
 * Uses a one-time link, as the page behind it does: claims a key or certificate, or accepts an invitation. Links are
 * secrets and in no OpenAPI document.
 *
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

/**
 * Claims an API key by the link that an operator received for it. The link works once, and the key is not shown again.
 */
export const claimKey = (link: string, settings?: ClientSettings): Promise<{ readonly api_key: string }> =>
  redeemLink(link, undefined, settings);
