import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { useConsole } from "../../api/use-call.js";
import { PageTimes } from "../../ui/page-zone.js";
import { Waiting } from "../../ui/state.js";

export const OWN_SITES = say("your sites", {}, "whose time zone");

/** Shows times in the zone that the account's sites have in common, else in the reader's. */
export const OwnSitesTimes = ({ children }: { readonly children: ReactNode }) => {
  const { isPending, data } = useConsole("/overview", {});
  // Times must not change under the reader's eyes. Where the sites cannot be asked for, the page is still there.
  if (isPending) return <Waiting />;
  return (
    <PageTimes timeZones={(data?.sites ?? []).map(({ timezone }) => timezone)} whose={OWN_SITES}>
      {children}
    </PageTimes>
  );
};
