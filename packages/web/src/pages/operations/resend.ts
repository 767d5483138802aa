import { callOperator } from "../../api/call.js";
import type { EnvironmentName } from "../../parts/environment.js";

/** Resends a delivery to a webhook. */
export const resendIn = (environment: EnvironmentName) => (id: string) =>
  callOperator("POST", "/deliveries/{id}/resend", { params: { id }, query: { environment } });
