/** Maximum weight and iid of an issue. */
export const maxWeight = 2_147_483_647
export const maxIid = 2_147_483_647
