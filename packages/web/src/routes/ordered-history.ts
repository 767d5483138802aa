import { createBrowserHistory, type RouterHistory } from "@tanstack/react-router";

/** A browser that has not gone back by then stays where it is. */
const LONGEST_MS = 1000;

/**
 * The history of the browser, in the order in which it is told. Going back ends later: a page that is opened meanwhile
 * would be left in place of the dialog that was to be left.
 */
export const orderedHistory = (): RouterHistory => {
  const history = createBrowserHistory();
  const { back, go, push, replace } = history;
  let gone: Promise<void> | null = null;
  const leaving = (leave: () => void): void => {
    const mine = moved();
    gone = mine;
    void mine.then(() => {
      if (gone === mine) gone = null;
    });
    leave();
  };
  const inOrder = (enter: () => void): void => {
    if (gone === null) enter();
    else void gone.then(enter);
  };
  return Object.assign(history, {
    back: (...args: Parameters<typeof back>) => leaving(() => back(...args)),
    go: (...args: Parameters<typeof go>) => leaving(() => go(...args)),
    push: (...args: Parameters<typeof push>) => inOrder(() => push(...args)),
    replace: (...args: Parameters<typeof replace>) => inOrder(() => replace(...args)),
  });
};

const moved = (): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(latest);
      window.removeEventListener("popstate", end);
      resolve();
    };
    const latest = setTimeout(end, LONGEST_MS);
    window.addEventListener("popstate", end);
  });
