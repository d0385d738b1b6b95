import type { Response } from 'express';

/** Statuses that answers have brought along; the framework sets the endpoint's own after the handler has run. */
const chosen = new WeakMap<Response, number>();

export function chooseStatus(response: Response, status: number): void {
  chosen.set(response, status);
}

export const chosenStatus = (response: Response): number | undefined => chosen.get(response);
