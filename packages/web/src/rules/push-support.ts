import { say } from "@curtail/words/page";
/** What a browser says about itself. */
export interface BrowserFacts {
  /** https, or this machine: service workers need it. */
  readonly isSecure: boolean;
  readonly hasPush: boolean;
  /** iPhone or iPad; there only an installed application gets notifications. */
  readonly isIos: boolean;
  readonly isInstalled: boolean;
  readonly permission: NotificationPermission;
}

export type PushSupport = "ready" | "denied" | "insecure" | "install_first" | "unsupported";

/** Whether this browser can show notifications, or why not. */
export const pushSupport = ({ isSecure, hasPush, isIos, isInstalled, permission }: BrowserFacts): PushSupport => {
  if (!isSecure) return "insecure";
  if (!hasPush) return isIos && !isInstalled ? "install_first" : "unsupported";
  return permission === "denied" ? "denied" : "ready";
};

/** Why notifications cannot be turned on in this browser, and what to do. */
export const supportWords: Readonly<Record<Exclude<PushSupport, "ready">, string>> = {
  denied: say(
    "Notifications of this site are blocked in this browser. Allow them in its settings for this site (most often behind the icon left of the address), then reload the page.",
  ),
  insecure: say(
    "Browsers show notifications only for pages that were opened over https. Open this page by its https address.",
  ),
  install_first: say(
    "On an iPhone or iPad, only an installed app can show notifications: tap Share, then “Add to Home Screen”, and open the app from there. It needs iOS 16.4 or later.",
  ),
  unsupported: say(
    "This browser cannot show notifications. Use a current Firefox, Chrome, Edge or Safari, or choose email.",
  ),
};
