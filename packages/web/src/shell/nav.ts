import type { IconName } from "../ui/icon.js";

export interface NavItem {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** What waits there, for example `2` open alarms. */
  readonly waiting?: { readonly count: string; readonly what: string } | undefined;
}

export interface NavGroup {
  readonly label: string;
  readonly items: readonly NavItem[];
}
