/**
 * Whether a path percent-encodes part of its route's fixed names. The router decodes before matching, but proxies and
 * prefix checks may not; so only ids may be encoded.
 */
export const hasEncodedName = (url: string, route: string | undefined): boolean => {
  const [path = ""] = url.split("?", 1);
  if (!path.includes("%") || route === undefined) return false;
  const parts = path.split("/");
  for (const [index, name] of route.split("/").entries()) {
    if (name === "*") return false;
    if (!name.startsWith(":") && parts[index] !== name) return true;
  }
  return false;
};
