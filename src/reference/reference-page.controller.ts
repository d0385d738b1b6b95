import path from 'node:path';
import { notFound } from '#libs/errors';
import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import type { Response } from 'express';

/** The viewer's own files lie in its package: nothing is loaded from elsewhere. */
const ASSETS = path.dirname(require.resolve('swagger-ui-dist/package.json'));
const NAMES = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);
const DAY_MS = 86_400_000;

/** Addresses are relative, so that the page also works below a path of a proxy. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>API reference</title>
<link rel="icon" href="api/favicon-32x32.png">
<link rel="stylesheet" href="api/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="api/swagger-ui-bundle.js"></script>
<script src="api/start.js"></script>
</body>
</html>
`;
const START = `SwaggerUIBundle({
  url: '../api/v4/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
});
`;
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/** The interactive reference page. A page for people, not part of the API, hence no @Endpoint. */
@Controller('-/api')
export class ReferencePageController {
  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', POLICY)
  page(): string {
    return PAGE;
  }

  @Get('start.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  start(): string {
    return START;
  }

  @Get(':asset')
  asset(@Param('asset') name: string, @Res() response: Response): void {
    if (!NAMES.has(name)) throw notFound();
    response.sendFile(name, { root: ASSETS, maxAge: DAY_MS, dotfiles: 'allow' });
  }
}
