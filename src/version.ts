/** Version of this Freshet, as in package.json (a test compares them). */
export const VERSION = '0.1.0';
