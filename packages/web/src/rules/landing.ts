const pages = ["/dashboard", "/operations", "/you"];

/** The page to open after the sign-in, as the address asks for it; null for anything but a page of `base`, our origin. */
export const landingPage = (asked: string | undefined, base: string): string | null => {
  if (asked === undefined || !asked.startsWith("/") || !URL.canParse(asked, base)) return null;
  const { origin, pathname, search, hash } = new URL(asked, base);
  const isPage = pages.some((page) => pathname === page || pathname.startsWith(`${page}/`));
  return origin === base && isPage ? pathname + search + hash : null;
};
