import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { newDispatchFrom } from "../../dispatch/http/wire-dispatch.js";
import { serve } from "../../platform/http/endpoint.js";
import { isRefusal } from "../../platform/refusal.js";
import { type PreviewPorts, previewDispatch } from "../operations/preview-dispatch.js";
import { previewToWire } from "./wire-dispatch-preview.js";

export const dispatchPreviewRoute = (app: FastifyInstance, ports: PreviewPorts): void =>
  serve(app, operator.previewDispatch, async ({ body }) => {
    const input = newDispatchFrom(body);
    if (isRefusal(input)) return input;
    const preview = await previewDispatch(ports, input);
    return isRefusal(preview) ? preview : previewToWire(preview);
  });
