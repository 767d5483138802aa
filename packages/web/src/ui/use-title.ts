import { useEffect } from "react";

const SERVICE = "Curtail";

/** Names the browser's tab after what is open in it; null: not known yet. */
export const useTitle = (title: string | null): void =>
  useEffect(() => {
    document.title = title === null ? SERVICE : `${title} – ${SERVICE}`;
    return () => {
      document.title = SERVICE;
    };
  }, [title]);
