import { Controller, Get, Header } from '@nestjs/common';
import { STYLESHEET, STYLESHEET_PATH } from './stylesheet';

/** The one asset of the pages. */
@Controller()
export class StylesheetController {
  @Get(STYLESHEET_PATH)
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=31536000, immutable')
  stylesheet(): string {
    return STYLESHEET;
  }
}
