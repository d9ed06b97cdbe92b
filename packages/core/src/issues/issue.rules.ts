/** The largest weight and number that an issue can have. */
export const maxWeight = 2_147_483_647
export const maxIid = 2_147_483_647
