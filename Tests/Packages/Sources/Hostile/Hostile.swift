// The code of this module is generated from hostile.model.json before it is compiled.
