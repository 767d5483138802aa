/** White space and control characters, which parsers of addresses remove or escape without a word. */
const UNSEEN = /[\s\p{Cc}\p{Cf}]/u;

/** Why an address cannot be called back (Definition, Webhooks); null if it may be. */
export const callbackFault = (text: string, allowsHttp: (hostname: string) => boolean): string | null => {
  const url = !UNSEEN.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === "")
    return "is not a complete address without white space, such as https://example.com/callback";
  const isSchemeRight = url.protocol === "https:" || (url.protocol === "http:" && allowsHttp(url.hostname));
  if (!isSchemeRight) return "does not begin with https://";
  if (url.username !== "" || url.password !== "") return "holds a user name or password; send a bearerToken instead";
  return url.hash === "" ? null : "has a fragment, which no server receives; leave it out";
};
