import { useEffect } from "react";
import { entryScript } from "../rules/wall.js";

const EVERY_MS = 60_000;

/** Reloads a page that nobody operates once the service serves another version of it. */
export const useNewVersion = (reload: () => void): void =>
  useEffect(() => {
    const mine = entryScript(document.documentElement.outerHTML);
    const look = async (): Promise<void> => {
      try {
        const answer = await fetch(window.location.pathname, { cache: "no-store" });
        const theirs = answer.ok ? entryScript(await answer.text()) : null;
        if (theirs !== null && mine !== null && theirs !== mine) reload();
      } catch {
        // The service is away; the page says so, and this is tried again.
      }
    };
    const timer = setInterval(() => void look(), EVERY_MS);
    return () => clearInterval(timer);
  }, [reload]);
