import { pageAddresses } from "./pages.js";

/** What fits into a cookie. */
const MAX_CHARACTERS = 1500;
const ANY_HOST = "http://host.invalid";
const pages = [...pageAddresses.participants, ...pageAddresses.operators, "/you"];

/** The page to open after sign-in, from a link's parameter; null unless it is a page of this service. */
export const landingPage = (asked: unknown): string | null => {
  if (typeof asked !== "string" || asked.length > MAX_CHARACTERS || !asked.startsWith("/")) return null;
  if (!URL.canParse(asked, ANY_HOST)) return null;
  const { origin, pathname, search, hash } = new URL(asked, ANY_HOST);
  const isPage = pages.some((page) => pathname === page || pathname.startsWith(`${page}/`));
  return origin === ANY_HOST && isPage ? pathname + search + hash : null;
};
