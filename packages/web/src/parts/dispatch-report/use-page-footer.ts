import { useEffect } from "react";

/** Prints a text and the number of the page at the foot of each page. Browsers without margin boxes print their own. */
export const usePageFooter = (text: string): void =>
  useEffect(() => {
    const style = document.createElement("style");
    const box = "font: 8pt system-ui, sans-serif; color: #444;";
    style.textContent = `@page {
      @bottom-left { content: ${JSON.stringify(text)}; ${box} }
      @bottom-right { content: "Page " counter(page) " of " counter(pages); ${box} }
    }`;
    document.head.append(style);
    return () => style.remove();
  }, [text]);
