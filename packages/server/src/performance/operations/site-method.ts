import { type BaselineInputs, type BaselineMethod, inputsOf, isTooNew } from "@curtail/measure";
import { onceFor } from "../../platform/once.js";
import { methodOf, withFallback } from "../../portfolio/operations/baseline-method.js";
import type { DispatchToMeasure, SiteToMeasure } from "./measurement-ports.js";

type Dispatch = Omit<DispatchToMeasure, "sites">;
type Site = Pick<SiteToMeasure, "baseline" | "enrolledMs">;

/** The method that measures a site; one that is too new for it falls back even if the method does not (G64). */
export const siteMethod = (dispatch: Dispatch, site: Site): BaselineMethod => {
  const method = methodOf(site.baseline ?? dispatch.baseline);
  const fallsBack = method.kind === "days" && method.fallback === null && isNewSite(dispatch, site);
  return fallsBack ? withFallback(method) : method;
};

/** Whether a site has been enrolled for fewer days than its method needs. */
export const isNewSite = (dispatch: Dispatch, { baseline, enrolledMs }: Site): boolean =>
  dispatch.rulesVersion > 1 &&
  enrolledMs !== null &&
  isTooNew(methodOf(baseline ?? dispatch.baseline), dispatch, enrolledMs);

const inputsIn = onceFor((dispatch: Dispatch) => onceFor((method: BaselineMethod) => inputsOf(method, dispatch)));

/** `inputsOf`, found once for the sites of a dispatch that have the same method. */
export const inputsFor = (method: BaselineMethod, dispatch: Dispatch): BaselineInputs | null =>
  inputsIn(dispatch)(method);
