import App

Program.main(EosvaultAgent.self)
