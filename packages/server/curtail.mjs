#!/usr/bin/env node
// Outside dist/, so that npm can link the command before the first build.
await import("./dist/app/curtail.js");
