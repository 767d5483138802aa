/** Marks the section in view in the outline. */
export const followOutline = (): void => {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".outline a")];
  const headings = links.flatMap((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? []);
  if (headings.length === 0) return;
  const mark = (): void => {
    const above = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 4);
    const current = (above.at(-1) ?? headings[0])?.id;
    for (const link of links) {
      const isCurrent = decodeURIComponent(link.hash.slice(1)) === current;
      if (isCurrent) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
};
