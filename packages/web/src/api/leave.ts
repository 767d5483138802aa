let isLeaving = false;
// The browser may show this page again, as it was left.
window.addEventListener("pageshow", () => {
  isLeaving = false;
});

/** Loads another address, once: every query of a page whose session is over fails, and leaving again would abort leaving. */
export const leave = (address: string): void => {
  if (isLeaving) return;
  isLeaving = true;
  window.location.assign(address);
};
