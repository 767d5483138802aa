export type RedirectError = "redirect_without_location" | "redirect_refused";

/** The target of a redirect, or why it is not followed: http(s) only, never from https down to http (G30). */
export const nextUrl = (from: URL, location: string | string[] | undefined): URL | RedirectError => {
  if (location === undefined || location === "") return "redirect_without_location";
  // With several Location headers it is unclear which one an intermediary checked.
  if (typeof location !== "string" || !URL.canParse(location, from.href)) return "redirect_refused";
  const next = new URL(location, from);
  return isFollowed(from, next) ? next : "redirect_refused";
};

const isFollowed = (from: URL, next: URL): boolean => {
  if (next.username !== "" || next.password !== "") return false;
  return next.protocol === "https:" || (next.protocol === "http:" && from.protocol === "http:");
};
