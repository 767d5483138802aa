import { type ReactNode, useMemo } from "react";
import { usePageZone } from "../../../ui/page-zone.js";
import type { Dispatch } from "./dispatch.js";

/** All parts of the page have their times in the zone that the person chose: they read it from the dispatch. */
export const InPageZone = ({
  dispatch,
  children,
}: {
  readonly dispatch: Dispatch;
  readonly children: (dispatch: Dispatch) => ReactNode;
}) => {
  const timezone = usePageZone();
  return children(useMemo(() => ({ ...dispatch, program: { ...dispatch.program, timezone } }), [dispatch, timezone]));
};
