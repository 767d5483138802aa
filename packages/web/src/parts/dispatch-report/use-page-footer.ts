import { say } from "@curtail/words/page";
import { useEffect } from "react";
import { brand } from "../../ui/brand.js";

/** Prints a text and the number of the page at the foot of each page. Browsers without margin boxes print their own. */
export const usePageFooter = (text: string): void => {
  const pages = pageOfPages();
  useEffect(() => {
    const style = document.createElement("style");
    const box = "font: 8pt system-ui, sans-serif; color: #444;";
    style.textContent = `@page {
      @bottom-left { content: ${JSON.stringify(`${brand.name} · ${text}`)}; ${box} }
      @bottom-right { content: ${pages}; ${box} }
    }`;
    document.head.append(style);
    return () => style.remove();
  }, [text, pages]);
};

/** `"Page " counter(page) " of " counter(pages)`: styles count pages, texts have them anywhere. */
const pageOfPages = (): string =>
  say("Page {page} of {pages}", { page: "\n0\n", pages: "\n1\n" })
    .split("\n")
    .map((part, index) => (index % 2 === 1 ? counters[Number(part)] : JSON.stringify(part)))
    .join(" ");

const counters = ["counter(page)", "counter(pages)"] as const;
