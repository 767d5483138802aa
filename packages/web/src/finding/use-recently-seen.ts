import { useEffect } from "react";
import { keepSeen } from "../api/recent.js";
import { kindOfPage } from "../rules/recent.js";
import { pageTitle } from "../ui/use-title.js";

/** Keeps the open page once its title is known. */
export const useRecentlySeen = (userId: string, path: string): void => {
  useEffect(() => {
    const kind = kindOfPage(path);
    if (kind === null) return;
    const keep = () => {
      const label = pageTitle();
      if (label === null || window.location.pathname !== path) return;
      keepSeen(userId, { to: path, label: label.replace(` · ${kind}`, ""), kind });
    };
    keep();
    const observer = new MutationObserver(keep);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [userId, path]);
};
