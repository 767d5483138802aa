import { useOperator } from "../../../api/use-call.js";
import { SiteDrawer, type StepList } from "../dispatch/site-drawer.js";
import { PlainSiteDrawer } from "./plain-site-drawer.js";

/** A site that is short, in the dispatch that it is short in. */
export const DispatchSiteDrawer = ({
  dispatchId,
  siteId,
  list,
}: {
  readonly dispatchId: string;
  readonly siteId: string;
  readonly list: StepList;
}) => {
  const { data } = useOperator("/dispatches/{id}", { params: { id: dispatchId } });
  return data === undefined ? (
    <PlainSiteDrawer siteId={siteId} list={list} />
  ) : (
    <SiteDrawer dispatch={data} siteId={siteId} version={undefined} list={list} stream="live" />
  );
};
