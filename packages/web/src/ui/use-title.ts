import { useEffect } from "react";
import { brand } from "./brand.js";

let title: string | null = null;
let waiting = "";

const show = (): void => {
  document.title = title === null ? brand.name : `${waiting}${title} · ${brand.name}`;
};

/** Sets the title of the browser tab; null: not known yet. */
export const useTitle = (next: string | null): void =>
  useEffect(() => {
    title = next;
    show();
    return () => {
      title = null;
      show();
    };
  }, [next]);

/** The title of the open page, without the name of the service; null while it is not known. */
export const pageTitle = (): string | null => title;

/** How many things wait for the user, before the title of every page: `(2) Board`. */
export const useWaitingInTitle = (count: string | null): void =>
  useEffect(() => {
    waiting = count === null ? "" : `(${count}) `;
    show();
    return () => {
      waiting = "";
      show();
    };
  }, [count]);
