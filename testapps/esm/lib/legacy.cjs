exports.tag = (unit) => `legacy/${unit}`;
