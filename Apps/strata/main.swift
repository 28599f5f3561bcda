// The command line: understands the arguments, runs one command, and ends with its exit code.

exit(Strata.main())
