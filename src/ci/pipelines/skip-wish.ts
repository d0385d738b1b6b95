const SKIP = /\[(?:ci[ _-]skip|skip[ _-]ci)\]/i;

/** Whoever wrote the commit wants no jobs to run for it, as its message says. */
export const wishesToSkip = ({ message }: { readonly message: string }): boolean => SKIP.test(message);
