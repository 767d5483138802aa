import { useEffect } from "react";

const SERVICE = "Curtail";

/** Sets the title of the browser tab; null: not known yet. */
export const useTitle = (title: string | null): void =>
  useEffect(() => {
    document.title = title === null ? SERVICE : `${title} – ${SERVICE}`;
    return () => {
      document.title = SERVICE;
    };
  }, [title]);
