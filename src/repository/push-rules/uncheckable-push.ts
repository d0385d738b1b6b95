/** A push that is too large, or too costly, for its rules to be checked; the message is for whoever pushes. */
export class UncheckablePush extends Error {}
