import { endpoint } from "../endpoint.js";
import * as operator from "../operator-v1/meter-data.js";

/** Meter data of the caller's own sites. */
export const importOwnMeterData = endpoint({ ...operator.importMeterData, id: "importOwnMeterData" });
