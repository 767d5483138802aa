/**
 * Whether a path writes a part of its route's own name with percent signs. The router decodes before it compares, but
 * proxies and checks by prefix may not: only ids may be encoded.
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
