/** The service's own text for both names of an erased client. */
export const erasedName = '(effacé)'
