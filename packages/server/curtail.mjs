#!/usr/bin/env node
// Outside dist/, so that npm can link the command before the first build.
import { bundle, isCurrent } from "./bundle.mjs";

await import(isCurrent() ? bundle : "./dist/app/curtail.js");
