import { endpoint } from "../endpoint.js";
import * as operator from "../operator-v1/energy.js";

/** Energy of the caller's own sites. */
export const getSiteEnergy = endpoint({ ...operator.getAnySiteEnergy, id: "getSiteEnergy" });
export const downloadSiteEnergy = endpoint({ ...operator.downloadAnySiteEnergy, id: "downloadSiteEnergy" });
