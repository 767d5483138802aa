import { useOperator } from "../../../api/use-call.js";
import { askDemoEveryMs, isDemoThere } from "../../../rules/demo.js";

export const useDemo = () => useOperator("/demo", {}, { everyMs: askDemoEveryMs });

/** Whether all accounts are the demo's. */
export const useIsDemoThere = (): boolean => isDemoThere(useDemo().data);
